// Photos are made smaller on the phone and sent one by one, so that a slow line carries little and
// shows how far it is. What did not get through is sent again with the same key: the server knows
// it. Without this script the same form sends them as they are.
(() => {
  const LONGEST = 1600;
  const QUALITY = 0.82;
  const PAUSES = [0, 2000, 5000];
  const form = document.querySelector("form[data-photos]");
  if (!form) return;
  const inputs = [...form.querySelectorAll("input[type=file]")];
  const list = document.getElementById("sending");
  const button = form.querySelector(".primary");
  let waiting = [];
  let running = false;

  const pause = (time) => new Promise((go) => setTimeout(go, time));
  const made = (tag, className, text = "") =>
    Object.assign(document.createElement(tag), { className, textContent: text });

  // Drawn anew: upright, small, and without the place. What the browser cannot read goes as it is,
  // and the server says what it is.
  async function shrunk(file) {
    try {
      const image = await createImageBitmap(file, { imageOrientation: "from-image" });
      const scale = Math.min(1, LONGEST / Math.max(image.width, image.height));
      const canvas = document.createElement("canvas");
      canvas.width = Math.max(1, Math.round(image.width * scale));
      canvas.height = Math.max(1, Math.round(image.height * scale));
      const pen = canvas.getContext("2d");
      pen.imageSmoothingQuality = "high";
      pen.fillStyle = "#fff";
      pen.fillRect(0, 0, canvas.width, canvas.height);
      pen.drawImage(image, 0, 0, canvas.width, canvas.height);
      image.close();
      return (await new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY))) ?? file;
    } catch {
      return file;
    }
  }

  function lineOf(file, kind) {
    const item = made("li", "");
    const name = made("bdi", "file-name", file.name);
    const state = made("span", "small soft", form.dataset.waiting);
    const progress = Object.assign(made("progress", ""), { max: 1, value: 0 });
    progress.setAttribute("aria-label", file.name);
    item.append(name, state, progress);
    list.append(item);
    list.hidden = false;
    return { file, kind, item, state, progress };
  }

  const post = (line, picture) =>
    new Promise((done) => {
      const data = new FormData(form);
      data.delete("pictures");
      data.set("kind", line.kind);
      data.append("pictures", picture, line.file.name);
      const request = new XMLHttpRequest();
      request.open("POST", form.action);
      request.setRequestHeader("HX-Request", "true");
      request.setRequestHeader("Accept", "text/html");
      request.responseType = "document";
      request.upload.onprogress = ({ loaded, total }) => (line.progress.value = loaded / total);
      request.onload = () => done(request);
      request.onerror = request.onabort = () => done(null);
      request.send(data);
    });

  async function answerTo(line, picture) {
    for (const time of PAUSES) {
      await pause(time);
      const answer = await post(line, picture);
      if (answer && answer.status < 500) return answer;
    }
    return null;
  }

  // Whoever is just taking one back is not disturbed.
  function show(shown) {
    if (!shown || document.querySelector("#shown details[open]")) return;
    document.getElementById("shown").replaceWith(document.adoptNode(shown));
  }

  const says = (line, text, className) => {
    line.state.className = className;
    line.state.textContent = text;
  };

  // True once the server has had it, whatever it says of it.
  async function send(line) {
    const { textFailed: failed, textRefused: refused, textOffline: offline } = document.body.dataset;
    says(line, form.dataset.sending, "small soft");
    line.progress.hidden = false;
    const picture = await shrunk(line.file);
    const isTooBig = picture.size > Number(form.dataset.most);
    const answer = isTooBig ? null : await answerTo(line, picture);
    line.progress.hidden = true;
    if (isTooBig) return says(line, form.dataset.tooBig, "field-error failed"), true;
    if (answer === null) return says(line, offline, "field-error failed");
    show(answer.response?.getElementById("shown"));
    if (answer.status < 300) return says(line, `✓ ${form.dataset.sentText}`, "small soft"), true;
    const wrong = answer.response?.querySelector("[data-code]")?.textContent.trim();
    const otherwise = [403, 404].includes(answer.status) ? refused : failed;
    // The line bears the name of the file already.
    const text = wrong?.replace(/^\u2068.*\u2069\P{L}*/u, "") || otherwise;
    return says(line, text, "field-error failed"), true;
  }

  async function sendAll() {
    running = true;
    const left = [];
    while (waiting.length) {
      const line = waiting.shift();
      if (!(await send(line))) left.push(line);
    }
    waiting = left;
    running = false;
    button.textContent = waiting.length ? form.dataset.again : button.dataset.text;
  }

  button.dataset.text = button.textContent;
  form.addEventListener("submit", (event) => {
    const files = inputs.flatMap((input) => [...input.files]);
    if (!files.length && !waiting.length && !running) return; // the server says what is missing
    event.preventDefault();
    if (!running && !waiting.length) list.replaceChildren();
    waiting.push(...files.map((file) => lineOf(file, form.elements.kind.value)));
    inputs.forEach((input) => (input.value = ""));
    if (!running) sendAll();
  });
  addEventListener("beforeunload", (event) => {
    if (running) event.preventDefault();
  });
})();
