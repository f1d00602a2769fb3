package dev.kopf4j.devcluster.certificate;

import dev.kopf4j.devcluster.api.ApiRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;

/** Reads the user from a client certificate: the common name is the user, organizations are groups. */
public final class ClientCertificateIdentity {
    private ClientCertificateIdentity() {}

    public static Optional<ApiRequest.Identity> of(SSLSocket socket) {
        try {
            return of(socket.getSession().getPeerPrincipal().getName());
        } catch (SSLPeerUnverifiedException e) {
            return Optional.empty(); // clients may connect without a certificate
        }
    }

    static Optional<ApiRequest.Identity> of(String distinguishedName) {
        try {
            String user = "";
            List<String> groups = new ArrayList<>();
            for (Rdn part : new LdapName(distinguishedName).getRdns()) {
                switch (part.getType()) {
                    case "CN" -> user = String.valueOf(part.getValue());
                    case "O" -> groups.add(String.valueOf(part.getValue()));
                    default -> {}
                }
            }
            return user.isEmpty() ? Optional.empty() : Optional.of(new ApiRequest.Identity(user, groups));
        } catch (InvalidNameException e) {
            return Optional.empty();
        }
    }
}
