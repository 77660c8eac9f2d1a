/** Returns the caches of a browser, in memory, as far as the portal uses them. Addresses are those of one origin. */
export function memoryCaches(origin: string) {
  const stored = new Map<string, Map<string, Response>>()
  const addressOf = (address: string) => new URL(address, origin).href
  const cacheOf = (name: string) => {
    const entries = stored.get(name) ?? new Map<string, Response>()
    stored.set(name, entries)
    return {
      keys: () => Promise.resolve([...entries.keys()].map((url) => ({ url }))),
      put: (address: string, answer: Response) => Promise.resolve(void entries.set(addressOf(address), answer)),
    }
  }
  return {
    open: (name: string) => Promise.resolve(cacheOf(name)),
    keys: () => Promise.resolve([...stored.keys()]),
    delete: (name: string) => Promise.resolve(stored.delete(name)),
    match: (address: string, { cacheName }: { cacheName?: string } = {}) =>
      Promise.resolve(
        [...stored]
          .filter(([name]) => !cacheName || name === cacheName)
          .map(([, entries]) => entries.get(addressOf(address))?.clone())
          .find(Boolean),
      ),
    addresses: () => [...stored.values()].flatMap((entries) => [...entries.keys()]),
  }
}
