package dev.kopf4j.devcluster.certificate;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.value.SubjectName;
import java.util.Optional;
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
        return SubjectName.of(distinguishedName)
                .filter(subject -> !subject.user().isEmpty())
                .map(subject -> new ApiRequest.Identity(subject.user(), subject.groups()));
    }
}
