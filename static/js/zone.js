// Proposes the time zone of this browser where a new club asks for one.

const field = document.querySelector("[data-proposes-zone]");
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (field && [...field.options].some((option) => option.value === zone)) field.value = zone;
