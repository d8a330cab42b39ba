// What kind of text it is, by regular expressions.
const URL_PATTERN = /^(https?|ftp):\/\/[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)+(\/\w*)*$/;
const DATE_PATTERN = /^(mon|tue|wed|thu|fri|sat|sun) (0?[1-9]|[12]\d|3[01]) (jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)$/;
const NUMBER_PATTERN = /^[+-]?\d+\.\d+(e[+-]?\d+)?$/;
const HEXADECIMAL = new RegExp('^0x[0-9a-f]{4,8}$', 'i');

export function regex(txt) {
  if (URL_PATTERN.test(txt)) {
    return 'url';
  }
  if (DATE_PATTERN.test(txt)) {
    return 'date';
  }
  if (NUMBER_PATTERN.test(txt)) {
    return 'number';
  }
  if (HEXADECIMAL.exec(txt)) {
    return 'hexadecimal number';
  }
  return 'none';
}
