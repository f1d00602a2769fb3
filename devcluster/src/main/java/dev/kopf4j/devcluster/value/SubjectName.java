package dev.kopf4j.devcluster.value;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import javax.naming.NamingException;
import javax.naming.directory.Attribute;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/**
 * Whom a client's certificate is for: {@code CommonNameUserConversion} in
 * {@code pkg/authentication/request/x509/x509.go} of the apiserver library, v1.33. Immutable.
 *
 * @param user the common name; empty if there is none
 * @param groups the organizations
 */
public record SubjectName(String user, List<String> groups) {
    /** Reads a distinguished name, each part of which may have several values; empty if it is none. */
    public static Optional<SubjectName> of(String distinguishedName) {
        String user = "";
        List<String> groups = new ArrayList<>();
        try {
            for (Rdn part : new LdapName(distinguishedName).getRdns()) {
                for (Attribute attribute : Collections.list(part.toAttributes().getAll())) {
                    for (Object value : Collections.list(attribute.getAll())) {
                        if (value instanceof String text && attribute.getID().equalsIgnoreCase("CN")) {
                            user = text;
                        } else if (value instanceof String text
                                && attribute.getID().equalsIgnoreCase("O")) {
                            groups.add(text);
                        }
                    }
                }
            }
        } catch (NamingException e) {
            return Optional.empty(); // not a name
        }
        return Optional.of(new SubjectName(user, List.copyOf(groups)));
    }
}
