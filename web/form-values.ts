type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const controlsOf = (form: HTMLFormElement) =>
  ([...form.elements] as Control[]).filter((control) => control.name && 'value' in control && control.type !== 'submit')

/** The values of a form's named fields: a tick box is true or false, and an empty field is not there at all. */
export function valuesOf(form: HTMLFormElement) {
  const values: Record<string, string | boolean> = {}
  for (const control of controlsOf(form)) {
    if (control.type === 'checkbox') values[control.name] = (control as HTMLInputElement).checked
    else if (control.type === 'radio' && !(control as HTMLInputElement).checked) continue
    else if (control.value !== '') values[control.name] = control.value
  }
  return values
}

/** The names of what stands in a form now, filled or empty. */
export const namesOf = (form: HTMLFormElement): ReadonlySet<string> =>
  new Set(controlsOf(form).map((control) => control.name))

/** What takes the focus for a field: the field itself, or what stands in for it (`data-name`). */
export const controlNamed = (form: HTMLFormElement, name: string): HTMLElement | undefined =>
  form.querySelector<HTMLElement>(`[data-name="${CSS.escape(name)}"]`) ??
  controlsOf(form).find((control) => control.name === name)

/** What may be kept of a form while its page goes away and comes back: nothing secret, and no one-time code. */
const isKept = ({ type, autocomplete }: Control) =>
  type !== 'password' && type !== 'hidden' && type !== 'file' && !/password|one-time-code/.test(autocomplete)

/** What was typed or chosen, also where it was to empty a field or to take a tick away; not what was there before. */
export function draftOf(form: HTMLFormElement) {
  const draft: Record<string, string | boolean> = {}
  for (const control of controlsOf(form).filter(isKept)) {
    const { type, name, value } = control
    if (type === 'checkbox') {
      const { checked, defaultChecked } = control as HTMLInputElement
      if (checked || defaultChecked) draft[name] = checked
    } else if (type === 'radio') {
      if ((control as HTMLInputElement).checked) draft[name] = value
    } else if (value !== '' || (control as HTMLInputElement).defaultValue) draft[name] = value
  }
  return draft
}

/** Whether a password or a code stands in the form, which no draft keeps. */
export const holdsSecret = (form: HTMLFormElement) =>
  controlsOf(form).some((control) => !isKept(control) && control.type !== 'hidden' && control.value !== '')

export function restoreDraft(form: HTMLFormElement, draft: Record<string, string | boolean>) {
  for (const control of controlsOf(form).filter(isKept)) {
    const value = draft[control.name]
    if (value === undefined) continue
    if (control.type === 'checkbox') (control as HTMLInputElement).checked = value === true
    else if (control.type === 'radio') (control as HTMLInputElement).checked = control.value === value
    else control.value = String(value)
    // Fields that paint their own value listen to `input`; nothing is validated by it (VAL-2).
    control.dispatchEvent(new Event('input', { bubbles: true }))
  }
}
