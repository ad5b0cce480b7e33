interface Props {
  organizationId: string;
}

export function ControllersPage(_: Props) {
  return null;
}
