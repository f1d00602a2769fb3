package dev.kopf4j.image;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import tools.jackson.databind.json.JsonMapper;

/**
 * A root file system, as a folder or a tar (which may be compressed), that becomes the base of an image.
 *
 * @param place the folder or the tar
 */
record RootFileSystem(Path place) {
    private static final int GZIP = 0x1f8b;
    private static final long TIME_MILLIS = 1000;
    private static final int TAR_HEADER = 512;
    private static final String USTAR = "ustar";
    private static final int USTAR_AT = 257;

    /** Writes it as an image of one layer, in the form of {@code docker save}. */
    Path asImage(Path folder, String architecture) throws ImageException {
        if (!Files.exists(place)) {
            throw new ImageException("there is no root file system " + place);
        }
        try {
            Path layer = folder.resolve("root.tar");
            String digest = Files.isDirectory(place) ? pack(layer) : unpack(layer);
            Path image = folder.resolve("root-image.tar");
            try (OutputStream file = Files.newOutputStream(image);
                    TarArchiveOutputStream tar = tar(file)) {
                add(tar, "config.json", json(config(digest, architecture)));
                add(
                        tar,
                        "manifest.json",
                        json(List.of(Map.of("Config", "config.json", "Layers", List.of("root.tar")))));
                TarArchiveEntry entry = owned(new TarArchiveEntry("root.tar"));
                entry.setSize(Files.size(layer));
                tar.putArchiveEntry(entry);
                Files.copy(layer, tar);
                tar.closeArchiveEntry();
            }
            return image;
        } catch (IOException e) {
            throw new ImageException("the root file system " + place + " cannot be read: " + e, e);
        }
    }

    private static Map<String, Object> config(String digest, String architecture) {
        return Map.of(
                "architecture",
                architecture,
                "os",
                "linux",
                "config",
                Map.of(),
                "rootfs",
                Map.of("type", "layers", "diff_ids", List.of("sha256:" + digest)));
    }

    private static byte[] json(Object value) {
        return JsonMapper.shared().writeValueAsBytes(value);
    }

    private static void add(TarArchiveOutputStream tar, String name, byte[] content) throws IOException {
        TarArchiveEntry entry = owned(new TarArchiveEntry(name));
        entry.setSize(content.length);
        entry.setModTime(TIME_MILLIS);
        tar.putArchiveEntry(entry);
        tar.write(content);
        tar.closeArchiveEntry();
    }

    /** Gives it to root: an entry is that of the user of this process otherwise. */
    private static TarArchiveEntry owned(TarArchiveEntry entry) {
        entry.setIds(0, 0);
        entry.setNames("", "");
        return entry;
    }

    private static TarArchiveOutputStream tar(OutputStream out) {
        TarArchiveOutputStream tar = new TarArchiveOutputStream(out, "UTF-8");
        tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
        tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
        return tar;
    }

    private String pack(Path layer) throws IOException {
        MessageDigest digest = sha256();
        try (Stream<Path> tree = Files.walk(place);
                OutputStream file = Files.newOutputStream(layer);
                TarArchiveOutputStream tar = tar(new DigestOutputStream(file, digest))) {
            for (Path each : (Iterable<Path>) tree.sorted().filter(path -> !path.equals(place))::iterator) {
                pack(tar, each);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Links stay links; owners and times of this machine do not come along. */
    private void pack(TarArchiveOutputStream tar, Path file) throws IOException {
        String name = place.relativize(file).toString();
        TarArchiveEntry entry;
        if (Files.isSymbolicLink(file)) {
            entry = new TarArchiveEntry(name, TarConstants.LF_SYMLINK);
            entry.setLinkName(Files.readSymbolicLink(file).toString());
        } else if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
            entry = new TarArchiveEntry(name + "/");
            entry.setMode(mode(file));
        } else if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            entry = new TarArchiveEntry(name);
            entry.setSize(Files.size(file));
            entry.setMode(mode(file));
        } else {
            return; // devices and sockets are made by whoever runs the image
        }
        entry.setModTime(TIME_MILLIS);
        tar.putArchiveEntry(owned(entry));
        if (entry.isFile() && !entry.isSymbolicLink()) {
            Files.copy(file, tar);
        }
        tar.closeArchiveEntry();
    }

    private static int mode(Path file) throws IOException {
        return (int) Files.getAttribute(file, "unix:mode") & 07777;
    }

    private String unpack(Path layer) throws IOException, ImageException {
        MessageDigest digest = sha256();
        try (InputStream plain =
                        new BufferedInputStream(uncompressed(new BufferedInputStream(Files.newInputStream(place))));
                OutputStream out = new DigestOutputStream(Files.newOutputStream(layer), digest)) {
            if (!isTar(plain)) {
                throw new ImageException("the root file system " + place
                        + " is neither a folder nor a tar, plain or compressed by gzip");
            }
            plain.transferTo(out);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static boolean isTar(InputStream file) throws IOException {
        file.mark(TAR_HEADER);
        byte[] header = file.readNBytes(TAR_HEADER);
        file.reset();
        return header.length == TAR_HEADER
                && new String(header, USTAR_AT, USTAR.length(), StandardCharsets.US_ASCII).equals(USTAR);
    }

    private static InputStream uncompressed(BufferedInputStream file) throws IOException {
        file.mark(2);
        int magic = file.read() << 8 | file.read();
        file.reset();
        return magic == GZIP ? new GZIPInputStream(file) : file;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each JDK has SHA-256", e);
        }
    }
}
