'use strict';
// Source text waits in template elements: a page with many files opens fast, and fills in a file when it is opened.
function fill(file) {
  const template = file.querySelector('template');
  if (!template) return;
  file.querySelector('.source').append(template.content);
  template.remove();
}
for (const file of document.querySelectorAll('details.file')) {
  file.addEventListener('toggle', () => file.open && fill(file));
}

// Links into a source file open it first.
function showHash() {
  const id = decodeURIComponent(location.hash.slice(1));
  const match = /^(file-\d+)(-\d+)?$/.exec(id);
  const file = match && document.getElementById(match[1]);
  if (!file) return;
  file.hidden = false;
  fill(file);
  file.open = true;
  const line = document.getElementById(id);
  for (const old of document.querySelectorAll('.line.shown')) old.classList.remove('shown');
  if (match[2] && line) line.classList.add('shown');
  (line || file).scrollIntoView({ block: 'center' });
}
addEventListener('hashchange', showHash);
showHash();

const filter = document.getElementById('file-filter');
const openOnly = document.getElementById('file-open-only');
function filterFiles() {
  const wanted = filter.value.trim().toLowerCase();
  const files = [...document.querySelectorAll('details.file')];
  for (const file of files) {
    const isWanted = file.dataset.path.toLowerCase().includes(wanted);
    file.hidden = !isWanted || (openOnly.checked && 'complete' in file.dataset);
  }
  const shown = files.filter((file) => !file.hidden).length;
  document.getElementById('file-count').textContent = shown < files.length ? `${shown} of ${files.length} files` : '';
}
if (filter) {
  filter.addEventListener('input', filterFiles);
  openOnly.addEventListener('change', filterFiles);
}

for (const button of document.querySelectorAll('button.copy')) {
  const label = button.textContent;
  button.addEventListener('click', async () => {
    const code = button.parentElement.querySelector('code');
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {
      // From the disk a browser may refuse the clipboard: select the text, so that one key copies it.
      getSelection().selectAllChildren(code);
      document.execCommand('copy');
    }
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = label), 1500);
  });
}
document.documentElement.dataset.ready = 'true';
