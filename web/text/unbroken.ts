/** The name of an organisation, as it is shown: no line ends within „sp. z o.o.” (UIX-29). */
export const unbroken = (name: string): string => name.replaceAll('sp. z o.o.', 'sp.\u00a0z\u00a0o.o.')
