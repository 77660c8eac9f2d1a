import { useMedia } from '../app/use-media.ts'

export const useOnPhone = () => useMedia('(max-width: 640px)')
