import { useMedia } from '../app/use-media.ts'

/** Checks whether the page is as narrow as a phone. */
export const useOnPhone = () => useMedia('(max-width: 640px)')
