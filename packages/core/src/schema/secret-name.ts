const SECRET_NAME = /TOKEN|SECRET|PASSW|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|_KEY$|_AUTH$/i;

/** True for a name whose value is likely a secret: `GITHUB_TOKEN`, `apiKey`. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}
