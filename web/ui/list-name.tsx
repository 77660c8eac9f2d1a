import { createContext, useContext } from 'react'

const ListName = createContext('')

/** Around a list on a page with several: its name is part of the names of its controls, which look the same (UIX-20). */
export const NamedList = ListName.Provider

export const useListName = () => useContext(ListName)

/** Adds the name of the list to the accessible name of a control, after its text. */
export function OfList() {
  const name = useListName()
  return name && <span className="unseen"> – {name}</span>
}
