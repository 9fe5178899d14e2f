/** Settings of sign-in with wallets. */
import type { Values } from '../variable.ts';
import { booleanVariable } from '../variable.ts';
import { durationVariable, rateVariable } from './kinds.ts';

const VALIDITY = 'How far from now the time may be at which a message says that it was signed.';

/** Environment variables. */
export const web3Variables = {
  GOTRUE_EXTERNAL_WEB3_ETHEREUM_ENABLED: booleanVariable({
    default: 'false',
    description: 'Sign-in with a wallet of Ethereum.',
  }),
  GOTRUE_EXTERNAL_WEB3_ETHEREUM_MAXIMUM_VALIDITY_DURATION: durationVariable({
    default: '10m',
    description: VALIDITY,
  }),
  GOTRUE_EXTERNAL_WEB3_SOLANA_ENABLED: booleanVariable({
    default: 'false',
    description: 'Sign-in with a wallet of Solana.',
  }),
  GOTRUE_EXTERNAL_WEB3_SOLANA_MAXIMUM_VALIDITY_DURATION: durationVariable({
    default: '10m',
    description: VALIDITY,
  }),
  GOTRUE_RATE_LIMIT_WEB3: rateVariable({
    default: '30',
    description: 'Sign-ins with wallets in 5 minutes.',
  }),
};

/** One chain. */
interface ChainSettings {
  enabled: boolean;
  /** How far from now a message may have been issued, either way. */
  validityMs: number;
}

/** Settings. */
export interface Web3Settings {
  web3: { ethereum: ChainSettings; solana: ChainSettings };
}

/** Groups the values. */
export function web3Settings(values: Values<typeof web3Variables>): Web3Settings {
  return {
    web3: {
      ethereum: {
        enabled: values.GOTRUE_EXTERNAL_WEB3_ETHEREUM_ENABLED,
        validityMs: values.GOTRUE_EXTERNAL_WEB3_ETHEREUM_MAXIMUM_VALIDITY_DURATION,
      },
      solana: {
        enabled: values.GOTRUE_EXTERNAL_WEB3_SOLANA_ENABLED,
        validityMs: values.GOTRUE_EXTERNAL_WEB3_SOLANA_MAXIMUM_VALIDITY_DURATION,
      },
    },
  };
}
