type Policies = { createPolicy(name: 'default', rules: { createScriptURL: (url: string) => string | null }): void }

/**
 * Creates the Trusted Types policy: a text reaches a sink that could run it only by this policy (R126). The policy lets through our own
 * hashed files as workers, and the service worker; anything else that is assigned to `innerHTML`, to the address of a script and the like
 * throws.
 */
export function openTrustedTypes(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: Policies }
  // Every hashed file is in the folder of this one.
  const ownFiles = new URL('.', import.meta.url).href
  trustedTypes?.createPolicy('default', {
    createScriptURL: (url) =>
      url === '/service-worker.js' || (url.startsWith(ownFiles) && !url.includes('..')) ? url : null,
  })
}
