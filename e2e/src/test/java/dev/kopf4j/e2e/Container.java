package dev.kopf4j.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What a container engine does for a process, as far as this machine allows it: mount points and a file system of its
 * own, read-only but for {@code /tmp}. The C library and Java come from this machine.
 */
enum Container {
    /** The image's user in its file system. */
    ROOT(List.of("unshare", "-m")),
    /** The same for people who are not root, in a user namespace. */
    USER(List.of("unshare", "-rm")),
    /** The files where they lie. */
    NONE(List.of());

    /** Folders that the image must have, to mount these here. */
    static final List<String> MOUNTED = List.of("proc", "dev", "usr", "lib", "lib64", "java", "tmp");

    private static final String PREPARE = """
            files=$1 java=$2 user=$3
            shift 3
            mount --bind "$files" "$files" || exit
            for folder in proc dev usr lib lib64; do
                [ ! -e /$folder ] || mount --rbind "/$folder" "$files/$folder" || exit
            done
            mount --rbind "$java" "$files/java" && mount -t tmpfs -o mode=1777 tmpfs "$files/tmp" || exit
            mount -o remount,ro,bind "$files" || exit
            if [ -n "$user" ]; then exec chroot --userspec="$user" "$files" "$@"; fi
            exec chroot "$files" "$@"
            """;
    private static final String TRY = "mount --bind \"$1\" \"$1\" && exec chroot / true";

    @SuppressWarnings("ImmutableEnumChecker") // an immutable list
    private final List<String> own;

    Container(List<String> own) {
        this.own = own;
    }

    /** The best that this machine allows; says so loudly if that is not much. */
    static Container best(Path folder) throws IOException, InterruptedException {
        boolean root = (int) Files.getAttribute(folder, "unix:uid") == 0;
        for (Container each : root ? List.of(ROOT, USER) : List.of(USER)) {
            if (each.isAllowed(folder)) {
                return each;
            }
        }
        System.err.println("SKIPPED: this machine allows neither chroot nor user namespaces; the files of the image run"
                + " where they lie, not in a file system of their own");
        return NONE;
    }

    private boolean isAllowed(Path folder) throws InterruptedException {
        List<String> command = new ArrayList<>(own);
        command.addAll(List.of("sh", "-c", TRY, "try", folder.toString()));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false; // there is no such program
        }
    }

    /** Starts a command of the image; the kubeconfig is a path in the image. */
    RunningProgram start(UnpackedImage image, List<String> command, String kubeconfig) {
        String java = System.getProperty("java.home");
        if (this == NONE) {
            List<String> here = command.stream()
                    .map(each -> each.replaceAll("(^|=|:)(?=/(app|opt)/)", "$1" + image.files()))
                    .toList();
            return RunningProgram.start(
                    image.files(),
                    Map.of("PATH", java + "/bin", "KUBECONFIG", image.files() + kubeconfig, "POD_ID", "test"),
                    here);
        }
        List<String> contained = new ArrayList<>(own);
        contained.addAll(List.of("sh", "-c", PREPARE, "container"));
        contained.addAll(List.of(image.files().toString(), java, this == ROOT ? image.user() : ""));
        contained.addAll(command);
        String path = "/java/bin:" + System.getenv("PATH");
        return RunningProgram.start(
                image.files(), Map.of("PATH", path, "KUBECONFIG", kubeconfig, "POD_ID", "test"), contained);
    }
}
