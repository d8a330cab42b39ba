// Whether a file has the suffix that its directory is for.
export function filesuffix(directory, file) {
  const parts = file.split('.');
  if (parts.length < 2) {
    return 'no suffix';
  }
  const suffix = parts[parts.length - 1];
  if (suffix.length === 0) {
    return 'empty suffix';
  }
  if (directory === 'text') {
    if (suffix === 'txt') {
      return 'a text';
    }
  } else if (directory === 'acrobat') {
    if (suffix === 'pdf') {
      return 'a document to print';
    }
  } else if (directory === 'word') {
    if (suffix === 'doc' || suffix === 'docx') {
      return 'a document to write';
    }
  } else if (directory === 'bin') {
    if (suffix === 'exe') {
      return 'a program';
    }
  } else if (directory === 'lib') {
    if (suffix === 'dll') {
      return 'a library';
    }
    if (suffix === 'so' && parts[0].startsWith('lib')) {
      return 'a shared object';
    }
  } else {
    return 'no such directory';
  }
  return 'wrong suffix';
}
