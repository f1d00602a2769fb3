package dev.kopf4j.image;

import com.google.cloud.tools.jib.api.CacheDirectoryCreationException;
import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.ImageReference;
import com.google.cloud.tools.jib.api.InvalidImageReferenceException;
import com.google.cloud.tools.jib.api.Jib;
import com.google.cloud.tools.jib.api.JibContainer;
import com.google.cloud.tools.jib.api.JibContainerBuilder;
import com.google.cloud.tools.jib.api.Ports;
import com.google.cloud.tools.jib.api.RegistryException;
import com.google.cloud.tools.jib.api.RegistryImage;
import com.google.cloud.tools.jib.api.TarImage;
import com.google.cloud.tools.jib.api.buildplan.ImageFormat;
import com.google.cloud.tools.jib.api.buildplan.Platform;
import com.google.cloud.tools.jib.frontend.CredentialRetrieverFactory;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Makes one image, or one for each of several architectures below one name. Confined to a thread.
 *
 * @param arguments what it consists of, and where it goes
 */
record ImageBuild(ImageArguments arguments) {
    private static final String TOOL = "kopf4j";
    private static final String SYSTEM = "linux";
    private static final int HTTPS = 443;
    private static final int CONNECT_MILLIS = 5_000;

    static ImageBuild of(ImageArguments arguments) throws ImageException {
        if (!arguments.has("--base") && !arguments.has("--base-tar") && !arguments.has("--root-filesystem")) {
            throw new ImageException(
                    "an image needs a base: --base IMAGE, --base-tar FILE, or --root-filesystem PLACE");
        }
        // A tar has one image, as a base or as what is made; whoever makes one of a root file system has one machine.
        if (arguments.all("--architecture").size() > 1
                && (!arguments.has("--base") || arguments.has("--tar") || arguments.has("--layout"))) {
            throw new ImageException("an image for several architectures needs --base IMAGE and --push IMAGE");
        }
        return new ImageBuild(arguments);
    }

    /** Makes it, and prints its digest. */
    void make(PrintWriter out) throws ImageException, InterruptedException {
        try {
            Path parent = Path.of(arguments.one("--work", System.getProperty("java.io.tmpdir")));
            Path work = Files.createTempDirectory(parent, "kopf4j-image");
            try {
                make(work, out);
            } finally {
                delete(work);
            }
        } catch (IOException e) {
            throw new ImageException("files of the image cannot be written: " + e, e);
        }
    }

    private void make(Path work, PrintWriter out) throws ImageException, InterruptedException, IOException {
        JibContainerBuilder image = described(based(work));
        Path tar = work.resolve("image.tar");
        if (arguments.has("--push")) {
            RegistryImage registry = registry(arguments.one("--push", ""));
            out.println(containerized(image, Containerizer.to(registry), work).getDigest());
        }
        if (arguments.has("--tar") || arguments.has("--layout")) {
            TarImage target = TarImage.at(tar).named(reference(arguments.one("--name", "operator")));
            out.println(containerized(image, Containerizer.to(target), work).getDigest());
            place(tar);
        }
    }

    private void place(Path tar) throws IOException, ImageException {
        if (arguments.has("--layout")) {
            new LayoutFolder(Path.of(arguments.one("--layout", ""))).unpack(tar);
        }
        if (arguments.has("--tar")) {
            Path target = Path.of(arguments.one("--tar", "")).toAbsolutePath();
            Path parent = target.getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            Files.move(tar, target, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private JibContainerBuilder based(Path work) throws ImageException, InterruptedException {
        if (arguments.has("--base")) {
            return Jib.from(registry(arguments.one("--base", "")));
        }
        if (arguments.has("--base-tar")) {
            Path tar = Path.of(arguments.one("--base-tar", ""));
            if (!Files.isReadable(tar)) {
                throw new ImageException("there is no image " + tar);
            }
            return Jib.from(TarImage.at(tar));
        }
        Path root = Path.of(arguments.one("--root-filesystem", ""));
        return Jib.from(TarImage.at(new RootFileSystem(root).asImage(work, architecture())));
    }

    private String architecture() {
        return arguments.one("--architecture", "amd64");
    }

    private Set<Platform> platforms() {
        Set<Platform> platforms = new LinkedHashSet<>();
        for (String each : arguments.all("--architecture")) {
            platforms.add(new Platform(each, SYSTEM));
        }
        return platforms.isEmpty() ? Set.of(new Platform(architecture(), SYSTEM)) : platforms;
    }

    private JibContainerBuilder described(JibContainerBuilder image) throws ImageException {
        Set<Platform> platforms = platforms();
        // Jib makes lists of several images in Docker's format only, which all registries and engines take.
        image.setFormat(platforms.size() == 1 ? ImageFormat.OCI : ImageFormat.Docker)
                .setCreationTime(Instant.EPOCH)
                .setPlatforms(platforms)
                .setUser(arguments.one("--user", "65532:65532"))
                .setEntrypoint(arguments.all("--entrypoint"))
                .setProgramArguments(arguments.all("--argument"));
        try {
            image.setExposedPorts(Ports.parse(arguments.all("--port")));
        } catch (IllegalArgumentException e) {
            throw new ImageException("a port is a number from 1 to 65535, as 8080: " + e.getMessage(), e);
        }
        for (String variable : arguments.all("--environment")) {
            int equals = variable.indexOf('=');
            image.addEnvironmentVariable(variable.substring(0, equals), variable.substring(equals + 1));
        }
        for (String layer : arguments.all("--layer")) {
            image.addFileEntriesLayer(ImageLayer.parse(layer).files());
        }
        return image;
    }

    private static RegistryImage registry(String name) throws ImageException, InterruptedException {
        ImageReference reference = reference(name);
        requireReachable(reference.getRegistry());
        RegistryImage image = RegistryImage.named(reference);
        CredentialRetrieverFactory credentials = CredentialRetrieverFactory.forImage(reference, event -> {});
        image.addCredentialRetriever(credentials.dockerConfig());
        image.addCredentialRetriever(credentials.wellKnownCredentialHelpers());
        return image;
    }

    /** Says at once that there is no way to a registry, where Jib would try again and again for a minute. */
    private static void requireReachable(String registry) throws ImageException, InterruptedException {
        if (System.getProperty("https.proxyHost") != null || System.getProperty("http.proxyHost") != null) {
            return; // the proxy knows the way
        }
        int colon = registry.lastIndexOf(':');
        String host = colon < 0 ? registry : registry.substring(0, colon);
        try (Socket socket = new Socket()) {
            InetAddress address = address(host);
            int port = colon < 0 ? HTTPS : Integer.parseInt(registry.substring(colon + 1));
            socket.connect(new InetSocketAddress(address, port), CONNECT_MILLIS);
        } catch (UnknownHostException e) {
            throw new ImageException(
                    "the registry " + registry + " is not found: there is no host " + host
                            + ", or no network. Without a registry, take --base-tar or --root-filesystem",
                    e);
        } catch (SocketTimeoutException | TimeoutException e) {
            throw new ImageException(
                    "the registry " + registry + " does not answer within " + CONNECT_MILLIS / 1000
                            + " s. Without a registry, take --base-tar or --root-filesystem",
                    e);
        } catch (IOException e) {
            // Jib tries other ports, where it is allowed to, and says what is wrong.
        }
    }

    /** A name server that is out of reach is asked for up to half a minute: nobody waits for that. */
    private static InetAddress address(String host) throws IOException, TimeoutException, InterruptedException {
        FutureTask<InetAddress> question = new FutureTask<>(() -> InetAddress.getByName(host));
        Thread.ofVirtual().name("registry address").start(question);
        try {
            return question.get(CONNECT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException unknown ? unknown : new IOException(e.getCause());
        }
    }

    private static ImageReference reference(String name) throws ImageException {
        try {
            return ImageReference.parse(name);
        } catch (InvalidImageReferenceException e) {
            throw new ImageException("this is no name of an image: " + name, e);
        }
    }

    private JibContainer containerized(JibContainerBuilder image, Containerizer target, Path work)
            throws ImageException, InterruptedException, IOException {
        Path cache = Path.of(arguments.one("--cache", work.resolve("cache").toString()));
        ExecutorService threads = Executors.newCachedThreadPool();
        target.setToolName(TOOL)
                .setExecutorService(threads)
                .setBaseImageLayersCache(cache.resolve("base"))
                .setApplicationLayersCache(cache.resolve("application"))
                .setAllowInsecureRegistries(Boolean.parseBoolean(arguments.one("--insecure-registry", "false")));
        try {
            return image.containerize(target);
        } catch (RegistryException e) {
            throw new ImageException("the registry refuses: " + told(e), e);
        } catch (ExecutionException | CacheDirectoryCreationException e) {
            throw new ImageException(told(e), e);
        } finally {
            // After a failure of one, others would go on to write into folders that are being deleted.
            threads.shutdownNow();
            threads.close();
        }
    }

    /** The first message that says something; Jib's outermost ones do not always. */
    private static String told(Throwable failure) {
        for (@Nullable Throwable each = failure; each != null; each = each.getCause()) {
            String message = each.getMessage();
            if (message != null && !message.isBlank() && !(each instanceof ExecutionException)) {
                return message;
            }
        }
        return failure.toString();
    }

    private static void delete(Path folder) throws IOException {
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException failure) throws IOException {
                Files.delete(dir);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
