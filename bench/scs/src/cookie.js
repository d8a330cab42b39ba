// Whether a cookie may be stored: for each known name its own rule on value and site.
export function cookie(name, value, site) {
  const kind = name.toLowerCase();
  const text = value.toLowerCase();
  const host = site.toLowerCase();
  if (kind === 'userid') {
    if (text.length > 6 && text.slice(0, 4) === 'user') {
      return 'known user';
    }
    return 'unknown user';
  }
  if (kind === 'session') {
    if (text === 'am' && host === 'abc.com') {
      return 'morning session';
    }
    if (text === 'pm' && host.endsWith('.org')) {
      return 'evening session';
    }
    return 'no session';
  }
  if (kind === 'theme' && (text === 'dark' || text === 'light')) {
    return 'preference';
  }
  if (host === '') {
    return 'no site';
  }
  return 'refused';
}
