// How the page's search box ranks, and the check of it: pages for users before those about the inside, the past, and other frameworks.
export const searchOptions = {
  fuzzy: 0.15,
  prefix: true,
  boost: { title: 8, titles: 3, text: 1 },
  boostDocument: id => (/(annotations|parameters|commands|stored)\.html/.test(id) ? 0.05 : /glossary|changelog|coming-from|architecture|decisions|benchmarks|coverage|contributing|\/examples\//.test(id) ? 0.3 : 1),
}
