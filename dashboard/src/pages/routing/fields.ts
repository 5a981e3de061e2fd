/** What a rule of the editor may look at; the choices of all but the amount are those that the service offers. */
export const fields = ['amount', 'currency', 'payment_method', 'card_network']
