import { deviceName, type Device } from '../../contract/device.ts'
import { useText } from '../app/locale.tsx'

/** `Chrome, Windows`, or that the device is unknown. */
export function useDeviceName() {
  const t = useText()
  return (device: Device) => deviceName(device) || t({ pl: 'Nieznane urządzenie', en: 'Unknown device' })
}
