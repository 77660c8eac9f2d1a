import { useMedia } from '../app/use-media.ts'

/** Whether the page is as narrow as a phone. */
export const useOnPhone = () => useMedia('(max-width: 640px)')
