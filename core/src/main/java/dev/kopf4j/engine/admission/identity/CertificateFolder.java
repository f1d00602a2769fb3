package dev.kopf4j.engine.admission.identity;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A Secret of the type {@code kubernetes.io/tls} that is mounted as a folder. */
final class CertificateFolder {
    /** The kubelet changes all files at one moment: by this link, behind which is a folder for each state. */
    private static final String CURRENT = "..data";

    private CertificateFolder() {}

    /** Where the files of one state of the Secret are. */
    static Path current(Path folder) {
        Path link = folder.resolve(CURRENT);
        try {
            return Files.exists(link) ? link.toRealPath() : folder;
        } catch (IOException e) {
            throw PemFiles.unreadable("certificate", link, e);
        }
    }
}
