export function refusal(statusCode, message) {
  return Object.assign(new Error(message), { statusCode });
}
