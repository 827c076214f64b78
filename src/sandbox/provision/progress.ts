export interface ProvisionProgress {
  readonly stage: 'wheels' | 'image' | 'own' | 'start';
  /** Message for the user, one line. */
  readonly message: string;
  /** Out of `total`: bytes in stage `wheels`, files in the others. */
  readonly done?: number;
  readonly total?: number;
}

export type OnProgress = (event: ProvisionProgress) => void;
