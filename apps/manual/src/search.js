/** The search of the manual, in the reader's browser alone: the pages of one language are loaded when somebody begins to type. */

import MiniSearch from 'minisearch';

const field = /** @type {HTMLInputElement} */ (document.querySelector('input[data-search]'));
const list = /** @type {HTMLOListElement} */ (field.nextElementSibling);
const shown = 8;
/** @type {Promise<MiniSearch> | undefined} */
let loading;

async function load() {
  const answer = await fetch(String(field.dataset.search));
  if (!answer.ok) throw new Error(`the search could not be loaded: ${answer.status}`);
  const index = new MiniSearch({
    fields: ['title', 'page', 'text'],
    storeFields: ['title', 'page'],
    searchOptions: { prefix: true, fuzzy: 0.15, combineWith: 'AND', boost: { title: 4, page: 2 } },
  });
  index.addAll(await answer.json());
  return index;
}

async function search() {
  const words = field.value.trim();
  if (words === '') {
    list.hidden = true;
    return;
  }
  // A failed load is tried again at the next letter.
  loading ??= load().catch((error) => {
    loading = undefined;
    throw error;
  });
  const index = await loading;
  if (field.value.trim() !== words) return;
  const found = index.search(words).slice(0, shown);
  list.replaceChildren(...(found.length > 0 ? found.map(toItem) : [nothing()]));
  list.hidden = false;
}

/** @param {import('minisearch').SearchResult} result */
function toItem({ id, title, page }) {
  const link = document.createElement('a');
  link.href = String(id);
  link.textContent = title;
  if (page !== title) {
    const where = document.createElement('span');
    where.textContent = page;
    link.append(where);
  }
  const item = document.createElement('li');
  item.append(link);
  return item;
}

function nothing() {
  const item = document.createElement('li');
  item.textContent = String(field.dataset.none);
  return item;
}

field.addEventListener('input', () => void search());
field.addEventListener('focus', () => void search());
document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Node) || !field.parentElement?.contains(target)) list.hidden = true;
});
document.addEventListener('keydown', (event) => {
  const links = [...list.querySelectorAll('a')];
  const at = links.indexOf(/** @type {HTMLAnchorElement} */ (document.activeElement));
  if (event.key === '/' && !(event.target instanceof HTMLInputElement)) field.focus();
  else if (event.key === 'Escape') {
    list.hidden = true;
    field.focus();
    return;
  } else if (event.key === 'Enter' && event.target === field) links[0]?.click();
  else if (event.key === 'ArrowDown' && field.parentElement?.contains(document.activeElement))
    links[at + 1]?.focus();
  else if (event.key === 'ArrowUp' && at >= 0) (links[at - 1] ?? field).focus();
  else return;
  event.preventDefault();
});

// Open beside the text where there is room for it, a fold above it on a phone.
const contents = /** @type {HTMLDetailsElement} */ (document.querySelector('nav details'));
const wide = matchMedia('(min-width: 900px)');
const unfold = () => {
  contents.open = wide.matches;
};
wide.addEventListener('change', unfold);
unfold();
