/** Settings of sign-in with crypto wallets. */
import { booleanSetting, durationSetting } from '@greenroom/config';

/** The settings of one chain. */
function chain(variable: string, wallet: string) {
  return {
    enabled: booleanSetting(`GOTRUE_EXTERNAL_WEB3_${variable}_ENABLED`, {
      default: 'false',
      configKey: `auth.web3.${variable.toLowerCase()}.enabled`,
      description: `Whether users may sign in with ${wallet}.`,
    }),
    /** Maximum difference between now and the signing time of a message, in both directions. */
    validityMs: durationSetting(`GOTRUE_EXTERNAL_WEB3_${variable}_MAXIMUM_VALIDITY_DURATION`, {
      default: '10m',
      description: 'Maximum difference between now and the time in the signed message.',
    }),
  };
}

export const web3Tree = {
  ethereum: chain('ETHEREUM', 'an Ethereum wallet'),
  solana: chain('SOLANA', 'a Solana wallet'),
};
