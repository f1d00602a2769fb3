package dev.kopf4j.persistence.conventions;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kopf4j.json.FieldPath;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * The keys under which a record, such as the progress of a handler, is kept in annotations: all that are read, written
 * and removed. {@link AnnotationNames} shortens long names and ends them with a hash.
 *
 * <p>There are two versions. The newer one limits the name after the slash to 63 characters. The older one, which Kopf
 * still writes beside it, limits the prefix and the name together.
 *
 * <p>Immutable.
 *
 * @param prefix the domain before the slash, which identifies the operator; a warning is logged if it has more than 189
 *     characters
 * @param v1 whether the older names are read, written and purged as well
 */
public record AnnotationKeys(String prefix, boolean v1) {
    /** Kopf's default. */
    public static final String DEFAULT_PREFIX = "kopf.zalando.org";

    private static final int KEY_LENGTH_MAX = 253;
    private static final int PREFIX_LENGTH_MAX = KEY_LENGTH_MAX - AnnotationNames.NAME_LENGTH_MAX - 1;

    /** Kubernetes looks at annotations in lower case. */
    private static final Pattern PREFIX = Pattern.compile(
            "(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*", Pattern.CASE_INSENSITIVE);

    private static final Pattern NAME =
            Pattern.compile("(?=.{1,63}$)([a-z0-9][-a-z0-9_.]*)?[a-z0-9]", Pattern.CASE_INSENSITIVE);

    /** Checks the prefix: it must not be empty. */
    public AnnotationKeys {
        if (prefix.isEmpty()) {
            throw new IllegalArgumentException(
                    "the prefix of annotations must not be empty; give the operator's domain");
        }
        prefixWarning(prefix)
                .ifPresent(
                        warning -> LoggerFactory.getLogger(AnnotationKeys.class).warn(warning));
    }

    /** Makes the names with the given prefix, in both versions. */
    public AnnotationKeys(String prefix) {
        this(prefix, true);
    }

    /** Returns the annotations of a record, the preferred one first. The body decides whether its keys need a mark. */
    public List<String> keys(String key, JsonNode body) {
        String marked = marked(key, body);
        String newer = AnnotationNames.newer(prefix, marked);
        String older = v1 ? AnnotationNames.older(prefix, marked) : newer;
        return newer.equals(older) ? List.of(newer) : List.of(newer, older);
    }

    /**
     * Returns why Kubernetes would refuse an annotation of this key; empty if it would not.
     *
     * @see <a
     *     href="https://kubernetes.io/docs/concepts/overview/working-with-objects/annotations/#syntax-and-character-set">
     *     the syntax of annotations</a>
     */
    public Optional<String> problem(String key) {
        String newer = AnnotationNames.newer(prefix, key);
        if (!PREFIX.matcher(prefix).matches()) {
            return Optional.of("the annotation '" + newer + "' is not valid: the prefix must be a domain name such as"
                    + " 'operators.example.com'; change settings.persistence().prefix(...)");
        }
        if (!isValidName(newer)) {
            return Optional.of(
                    "the annotation '" + newer + "' is not valid: behind the slash, Kubernetes permits letters,"
                            + " digits, '-', '_' and '.', with a letter or a digit at both ends");
        }
        return isValidName(v1 ? AnnotationNames.older(prefix, key) : newer)
                ? Optional.empty()
                : Optional.of(
                        "the annotation '" + AnnotationNames.older(prefix, key)
                                + "' is not valid: the prefix is too long for the names of"
                                + " older versions of Kopf; choose a shorter one, or ProgressStorage.annotations().withoutV1()");
    }

    private boolean isValidName(String annotation) {
        return NAME.matcher(annotation.substring(prefix.length() + 1)).matches();
    }

    /** True if an annotation belongs to this operator. */
    public boolean owns(String annotation) {
        return annotation.length() > prefix.length()
                && annotation.charAt(prefix.length()) == '/'
                && annotation.startsWith(prefix);
    }

    static FieldPath field(String annotation) {
        return FieldPath.of("metadata", "annotations", annotation);
    }

    static Optional<String> prefixWarning(String prefix) {
        int length = AnnotationNames.length(prefix);
        return length <= PREFIX_LENGTH_MAX
                ? Optional.empty()
                : Optional.of("The annotation prefix " + prefix + " has " + length + " characters; beyond "
                        + PREFIX_LENGTH_MAX + ", Kubernetes refuses the annotations of long handler ids.");
    }

    /**
     * Marks the key if the body is the ReplicaSet of a Deployment: Kubernetes copies a Deployment's annotations over
     * those of its ReplicaSets, so their records must have other names.
     *
     * @see <a
     *     href="https://github.com/kubernetes/kubernetes/blob/v1.33.0/pkg/controller/deployment/util/deployment_util.go">
     *     SetNewReplicaSetAnnotations</a>
     */
    public static String marked(String key, JsonNode body) {
        if (!"ReplicaSet".equals(body.path("kind").asString(""))) {
            return key;
        }
        boolean ofDeployment = body.path("metadata")
                .path("ownerReferences")
                .valueStream()
                .anyMatch(owner -> "Deployment".equals(owner.path("kind").asString("")));
        return ofDeployment ? key + "-ofDRS" : key;
    }

    /**
     * Fits record keys into the names of annotations: safe characters, a limited length, a hash behind cut ones. Pure.
     */
    static final class AnnotationNames {
        static final int NAME_LENGTH_MAX = 63;
        private static final int HASH_BYTES = 4;

        private AnnotationNames() {}

        /** The name in the newer version: at most 63 characters after the slash. */
        static String newer(String prefix, String key) {
            String suffix = length(key) > NAME_LENGTH_MAX ? suffix(key) : "";
            return prefix + "/" + head(safe(key), NAME_LENGTH_MAX - suffix.length()) + suffix;
        }

        /**
         * The name in the older version: at most 63 characters together with the prefix. Hashes the safe key, not the
         * original one. The room may be negative; it then counts from the end, as in Kopf.
         */
        static String older(String prefix, String key) {
            String safe = safe(key);
            int room = NAME_LENGTH_MAX - length(prefix) - 1;
            String suffix = length(safe) > room ? suffix(safe) : "";
            return prefix + "/" + head(safe, room - suffix.length()) + suffix;
        }

        static String suffix(String key) {
            String hash = Base64.getEncoder().encodeToString(Blake2b.digest(key.getBytes(UTF_8), HASH_BYTES));
            String suffix = "-" + hash.replace('+', '-').replace('/', '.');
            int end = suffix.length();
            while ("=-.".indexOf(suffix.charAt(end - 1)) >= 0) {
                end--;
            }
            return suffix.substring(0, end);
        }

        private static String safe(String key) {
            return key.replace('/', '.').replace('<', '_').replace('>', '_');
        }

        /**
         * Returns what Python's {@code text[:end]} returns, in code points: a negative end drops as many from the end
         * of the text.
         */
        private static String head(String text, int end) {
            if (text.length() <= end) {
                return text;
            }
            int length = length(text);
            int kept = Math.clamp(end < 0 ? length + end : end, 0, length);
            return text.substring(0, text.offsetByCodePoints(0, kept));
        }

        static int length(String text) {
            return text.codePointCount(0, text.length());
        }
    }
}
