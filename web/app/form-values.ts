type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const isControl = (element: Element): element is Control =>
  element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement
const controlsOf = (form: HTMLFormElement) =>
  [...form.elements].filter(isControl).filter(({ name, type }) => name && type !== 'submit')

/** Checks whether a control is a tick box or a radio button, which are chosen rather than typed. */
const isOfType = (control: Control, type: 'checkbox' | 'radio'): control is HTMLInputElement => control.type === type

/** Returns the values of a form's named fields: true or false for a tick box, and nothing for an empty field. */
export function valuesOf(form: HTMLFormElement) {
  const values: Record<string, string | boolean> = {}
  for (const control of controlsOf(form)) {
    if (isOfType(control, 'checkbox')) values[control.name] = control.checked
    else if (isOfType(control, 'radio') && !control.checked) continue
    else if (control.value !== '') values[control.name] = control.value
  }
  return values
}

/** Returns the names of the fields that are in a form now, filled or empty. */
export const namesOf = (form: HTMLFormElement): ReadonlySet<string> =>
  new Set(controlsOf(form).map((control) => control.name))

/** Finds the element that takes the focus for a field: the field itself, or its substitute (`data-name`). */
export const controlNamed = (form: HTMLFormElement, name: string): HTMLElement | undefined =>
  form.querySelector<HTMLElement>(`[data-name="${CSS.escape(name)}"]`) ??
  controlsOf(form).find((control) => control.name === name)

/** Checks whether a draft keeps a field: no secrets and no one-time codes. */
const isKept = ({ type, autocomplete }: Control) =>
  type !== 'password' && type !== 'hidden' && type !== 'file' && !/password|one-time-code/.test(autocomplete)

/** Returns the values that were typed or chosen, including cleared fields and ticks; not the initial values. */
export function draftOf(form: HTMLFormElement) {
  const draft: Record<string, string | boolean> = {}
  for (const control of controlsOf(form).filter(isKept)) {
    const { name, value } = control
    if (isOfType(control, 'checkbox')) {
      if (control.checked || control.defaultChecked) draft[name] = control.checked
    } else if (isOfType(control, 'radio')) {
      if (control.checked) draft[name] = value
    } else if (value !== '' || ('defaultValue' in control && control.defaultValue)) draft[name] = value
  }
  return draft
}

/** Checks whether the form has a password or a code in it, which no draft keeps. */
export const holdsSecret = (form: HTMLFormElement) =>
  controlsOf(form).some((control) => !isKept(control) && control.type !== 'hidden' && control.value !== '')

export function restoreDraft(form: HTMLFormElement, draft: Record<string, string | boolean>) {
  for (const control of controlsOf(form).filter(isKept)) {
    const value = draft[control.name]
    if (value === undefined) continue
    if (isOfType(control, 'checkbox')) control.checked = value === true
    else if (isOfType(control, 'radio')) control.checked = control.value === value
    else control.value = String(value)
    // Fields that paint their own value listen to `input`; nothing is validated by it (VAL-2).
    control.dispatchEvent(new Event('input', { bubbles: true }))
  }
}
