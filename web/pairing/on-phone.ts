import { useMedia } from '../app/hydration.tsx'

/** Whether the page is as narrow as a phone. */
export const useOnPhone = () => useMedia('(max-width: 640px)')
