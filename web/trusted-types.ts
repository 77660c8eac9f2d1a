import { selectSheet } from './ui/select-sheet.ts'

type Policies = {
  createPolicy(
    name: 'default',
    rules: { createHTML: (text: string) => string | null; createScriptURL: (url: string) => string | null },
  ): void
}

/**
 * Trusted Types: a text reaches a sink that could run it only by this policy (R126). It lets through the one sheet that a
 * library puts into the page, and our own hashed files as workers; whatever else is assigned to `innerHTML`, to the address
 * of a script and the like throws.
 */
export function openTrustedTypes(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: Policies }
  // Every hashed file is in the folder of this one.
  const ownFiles = new URL('.', import.meta.url).href
  trustedTypes?.createPolicy('default', {
    createHTML: (text) => (text === selectSheet ? text : null),
    createScriptURL: (url) => (url.startsWith(ownFiles) && !url.includes('..') ? url : null),
  })
}
