interface Props {
  organizationId: string;
}

export function OrganizationPage(_: Props) {
  return null;
}
