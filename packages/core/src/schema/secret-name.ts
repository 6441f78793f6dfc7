const SECRET_NAME = /TOKEN|SECRET|PASSW|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|_KEY$|_AUTH$/i;

/** True for an option whose value is likely a secret: `token`, `apiKey`; variables of the environment are judged where they are. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}
