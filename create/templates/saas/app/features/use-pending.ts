import { useNavigation } from 'react-router';

/**
 * Returns whether the form with this button is being sent.
 * @param intent value of the button `intent`
 * @param id value of the field `id`, if several forms have the same button
 */
export function usePending(intent: string, id?: string): boolean {
  const { formData } = useNavigation();
  return formData?.get('intent') === intent && (id === undefined || formData.get('id') === id);
}
