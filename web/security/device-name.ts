import { deviceName, type Device } from '../../contract/device.ts'
import { useText } from '../locale.tsx'

/** `Chrome, Windows`, or that it is not known. */
export function useDeviceName() {
  const t = useText()
  return (device: Device) => deviceName(device) || t({ pl: 'Nieznane urządzenie', en: 'Unknown device' })
}
