// The result leaves as text or as a picture: through the phone's own way of sharing, else by the
// clipboard; without https the text is selected and the picture saved.

import { say } from "./page.js";

const show = () =>
  document.querySelectorAll("button[data-share]").forEach((button) => {
    button.hidden = false;
  });

// Whoever closes the phone's list of ways has shared nothing and wants nothing else.
async function shared(text) {
  if (!navigator.share) return false;
  try {
    await navigator.share({ text });
    return true;
  } catch (error) {
    return error.name === "AbortError";
  }
}

async function copied(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.closest("details").open = true;
    field.select();
    return document.execCommand("copy");
  }
}

async function send(button) {
  const field = document.getElementById(button.dataset.share);
  if (await shared(field.value)) return;
  say((await copied(field)) ? button.dataset.copied : button.dataset.selected);
}

const asFile = (link, parts) => new File(parts, link.download, { type: "image/png" });

const sendsFiles = (link) => navigator.canShare?.({ files: [asFile(link, [""])] });

async function fetched(link) {
  try {
    const answer = await fetch(link.href);
    return answer.ok ? await answer.blob() : null;
  } catch {
    return null;
  }
}

async function sendPicture(link) {
  const picture = await fetched(link);
  if (!picture) return say(document.body.dataset.textOffline);
  try {
    await navigator.share({ files: [asFile(link, [picture])] });
  } catch (error) {
    if (error.name !== "AbortError") location.assign(link.href);
  }
}

document.addEventListener("DOMContentLoaded", show);
document.addEventListener("htmx:after:swap", show);
document.addEventListener("click", ({ target }) => {
  const button = target.closest?.("button[data-share]");
  if (button) send(button);
});
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-picture]");
  if (!link || !sendsFiles(link)) return;
  event.preventDefault();
  sendPicture(link);
});
