import type { Ports } from '../platform/ports.ts'

/** The ports of a node of a measurement or test that has nothing outside: any proof passes, and no country is known. */
export const plainPorts = {
  botCheck: {
    kind: 'altcha',
    siteKey: '',
    origin: undefined,
    verify: async (nonce) => ({ verdict: 'human', nonce, expiresInSeconds: 300 }),
  },
  country: { lookUp: async () => undefined },
  appActivation: { by: 'provider' },
  timestampAccounts: undefined,
  certificateStatus: undefined,
  trust: undefined,
  revocation: undefined,
  malware: undefined,
  alarms: { raise: () => {} },
} satisfies Partial<Ports>
