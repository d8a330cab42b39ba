// What kind of triangle three sides make.
export function triangle(a, b, c) {
  if (a <= 0 || b <= 0 || c <= 0) {
    return 'none';
  }
  if (a + b <= c || a + c <= b || b + c <= a) {
    return 'none';
  }
  if (a === b && b === c) {
    return 'equilateral';
  }
  if (a === b || b === c || a === c) {
    return 'isosceles';
  }
  return 'scalene';
}
