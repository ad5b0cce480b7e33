/** A call of Prometheus' HTTP API, as far as it is answered. */
export interface SourceCall {
  organizationId: string;
  /** What follows `/api/v1/`. */
  path: string;
  params: URLSearchParams;
}

export interface SourceAnswer {
  status: number;
  /** JSON. */
  body: string;
}

/** Answers in the manner of Prometheus, about one organization and nothing beside it. */
export interface MetricsSource {
  /** Undefined for a path that is not answered. */
  answer(call: SourceCall): Promise<SourceAnswer | undefined>;
}

export const succeed = (data: unknown): SourceAnswer => ({
  status: 200,
  body: JSON.stringify({ status: 'success', data }),
});

export const fail = (status: number, errorType: string, error: string): SourceAnswer => ({
  status,
  body: JSON.stringify({ status: 'error', errorType, error }),
});
