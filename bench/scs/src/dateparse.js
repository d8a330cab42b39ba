// Reads the name of a day and the name of a month, short or long, and tells their numbers.
const DAYS = 7;

export function dateparse(dayname, monthname) {
  const day = dayOf(dayname.toLowerCase());
  const month = monthOf(monthname.toLowerCase());
  if (day === 0 && month === 0) {
    return { result: 'neither' };
  }
  if (month === 0) {
    return { result: 'day', day };
  }
  if (day === 0) {
    return { result: 'month', month };
  }
  if (day === DAYS && month === 12) {
    return { result: 'sunday in december', day, month };
  }
  return { result: 'both', day, month };
}

function dayOf(name) {
  if (name === 'mon' || name === 'monday') {
    return 1;
  }
  if (name === 'tue' || name === 'tues' || name === 'tuesday') {
    return 2;
  }
  if (name === 'wed' || name === 'wednesday') {
    return 3;
  }
  if (name === 'thu' || name === 'thur' || name === 'thursday') {
    return 4;
  }
  if (name === 'fri' || name === 'friday') {
    return 5;
  }
  if (name === 'sat' || name === 'saturday') {
    return 6;
  }
  if (name === 'sun' || name === 'sunday') {
    return DAYS;
  }
  return 0;
}

function monthOf(name) {
  if (name === 'jan' || name === 'january') {
    return 1;
  }
  if (name === 'feb' || name === 'february') {
    return 2;
  }
  if (name === 'mar' || name === 'march') {
    return 3;
  }
  if (name === 'apr' || name === 'april') {
    return 4;
  }
  if (name === 'may') {
    return 5;
  }
  if (name === 'jun' || name === 'june') {
    return 6;
  }
  if (name === 'jul' || name === 'july') {
    return 7;
  }
  if (name === 'aug' || name === 'august') {
    return 8;
  }
  if (name === 'sep' || name === 'sept' || name === 'september') {
    return 9;
  }
  if (name === 'oct' || name === 'october') {
    return 10;
  }
  if (name === 'nov' || name === 'november') {
    return 11;
  }
  if (name === 'dec' || name === 'december') {
    return 12;
  }
  return 0;
}
