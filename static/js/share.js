// The result leaves as text: through the phone's own way of sharing, else by the clipboard. Where a
// page may use neither (a box in the café without https), the text is selected and copied as of old.
"use strict";
(() => {
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

  document.addEventListener("DOMContentLoaded", show);
  document.addEventListener("htmx:after:swap", show);
  document.addEventListener("click", ({ target }) => {
    const button = target.closest?.("button[data-share]");
    if (button) send(button);
  });
})();
