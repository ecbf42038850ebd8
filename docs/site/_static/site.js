// The filter above the table of figures: rows that have all of its words stay.
document.addEventListener("DOMContentLoaded", () => {
  for (const filter of document.querySelectorAll("input.filter")) {
    const rows = [...document.querySelectorAll(".figures tbody tr")];
    filter.addEventListener("input", () => {
      const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
      for (const row of rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
      }
    });
  }
});
