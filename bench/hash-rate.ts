import type { PasswordHasher } from '../server/platform/portal.ts'

/** Passwords checked per second by a hasher with no other work. */
export async function checksPerSecond(hasher: PasswordHasher, seconds: number) {
  const encoded = await hasher.hash('Dobre-Haslo-2026!')
  const started = performance.now()
  const end = started + seconds * 1000
  let checks = 0
  const worker = async () => {
    while (performance.now() < end) {
      await hasher.verify(encoded, 'Dobre-Haslo-2026!')
      checks++
    }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  return checks / ((performance.now() - started) / 1000)
}
