package dev.kopf4j.client.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;

/** Makes key stores in memory, without passwords: the JDK takes certificates and keys in this form only. */
final class KeyStores {
    static final char[] NO_PASSWORD = new char[0];

    private KeyStores() {}

    static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, NO_PASSWORD);
        return store;
    }
}
