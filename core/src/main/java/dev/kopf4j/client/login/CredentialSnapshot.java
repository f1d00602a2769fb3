package dev.kopf4j.client.login;

import dev.kopf4j.ConnectionInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A credential of a login, with the content of its files at that moment. If a file is replaced, the credential is
 * another one, although its path is the same. Immutable.
 *
 * @param info the credential
 * @param files the contents of its files
 */
record CredentialSnapshot(ConnectionInfo info, List<String> files) {
    /** Reads the files of a credential. */
    static CredentialSnapshot of(ConnectionInfo info) {
        return new CredentialSnapshot(
                info,
                Stream.of(info.tokenPath(), info.certificatePath(), info.privateKeyPath())
                        .filter(Objects::nonNull)
                        .map(CredentialSnapshot::content)
                        .toList());
    }

    /** A file that cannot be read counts as empty: whoever uses the credential reports it. */
    private static String content(String path) {
        try {
            return Files.readString(Path.of(path)).strip();
        } catch (IOException e) {
            return "";
        }
    }

    /** Leaves out the files, which hold secrets. */
    @Override
    public String toString() {
        return info.toString();
    }
}
