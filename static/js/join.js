// A scanned code stands behind the "#" of the address, which reaches no server. It is taken out of
// the address before anything else happens, and goes off in the form, as if it had been typed.

const CODE = /^#[0-9A-Za-z]{5}-?[0-9A-Za-z]{5}$/;

const take = () => {
  const code = location.hash;
  if (!CODE.test(code)) return;
  history.replaceState(null, "", location.pathname);
  const form = document.getElementById("join");
  form.elements.code.value = code.slice(1);
  form.submit();
};

// Scanned once more while this page lies open: nothing is loaded anew.
addEventListener("hashchange", take);
take();
