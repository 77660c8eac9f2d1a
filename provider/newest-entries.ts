/** Adds an entry as the newest one and removes the oldest ones beyond the limit, so that the memory stays bounded. */
export function addNewest<K, V>(entries: Map<K, V>, key: K, value: V, limit: number) {
  entries.delete(key)
  entries.set(key, value)
  for (const oldest of entries.keys()) {
    if (entries.size <= limit) return
    entries.delete(oldest)
  }
}
