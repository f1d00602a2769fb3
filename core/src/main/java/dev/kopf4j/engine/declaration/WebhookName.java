package dev.kopf4j.engine.declaration;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.Resource;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.zip.CRC32;

/**
 * How a handler's webhook is called, and addressed. The API server takes the same letters for both: names are
 * lower-case letters, digits, dots and dashes, and so is each part of a path, where a webhook is reached by a Service.
 * So {@code checkSize} becomes {@code check-size}; what cannot be part of a name is written as the hexadecimal digits
 * of its UTF-8 bytes, and what is too long is cut. Pure.
 *
 * @see <a
 *     href="https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#service-reference">
 *     references to services</a>
 */
public final class WebhookName {
    /** A name has 253 letters at the most, and ends with that of the configuration. */
    private static final int PATH_MAX = 180;

    private WebhookName() {}

    /** The name of a webhook: the id of the handler within the domain of the configuration. */
    public static String of(String id, String configuration) {
        return path(id).replace('/', '.') + '.' + configuration;
    }

    /** The id as the end of a path; ids of sub-handlers have slashes, which stay. */
    public static String path(String id) {
        String path = Arrays.stream(id.split("/", -1)).map(WebhookName::part).collect(Collectors.joining("/"));
        return path.length() <= PATH_MAX ? path : shortened(path, id);
    }

    /**
     * The end of the path of a handler's webhook. Where handlers of both kinds have the id, and filters choose between
     * them, it has the kind, too: API servers ask a webhook if the old object has its labels, and nobody could tell by
     * the new one which of them is asked. No other id has such a path, as no path of an id has two dashes in a row.
     *
     * @param all the admission handlers of the operator
     */
    public static String path(RegisteredHandler handler, Collection<RegisteredHandler> all) {
        String path = path(handler.id());
        boolean isShared = all.stream()
                        .filter(other -> other.options().choosesObjects())
                        .filter(other -> path(other.id()).equals(path))
                        .map(RegisteredHandler::kind)
                        .distinct()
                        .count()
                > 1;
        return isShared ? path + mark(handler) : path;
    }

    private static String mark(RegisteredHandler handler) {
        return "--" + handler.kind().name().toLowerCase(Locale.ROOT);
    }

    /** True if a request to the end of a path is for that handler, whether the path has its kind or not. */
    public static boolean isFor(String path, RegisteredHandler handler) {
        return isFor(path, handler.id()) || path.equals(path(handler.id()) + mark(handler));
    }

    /** True if a request to the end of a path is for handlers of that id; Kopf's own paths are ids as they are. */
    static boolean isFor(String path, String id) {
        return path.equals(id) || path.equals(path(id));
    }

    /**
     * Checks that each webhook has a name and a path of its own. Handlers of one kind may share an id, and so a
     * webhook; where two kinds are asked about the same, nobody could tell which one is meant. Where both have filters,
     * an object may be meant for one of them only; that is seen object by object.
     *
     * @throws HandlerDeclarationException with both handlers, what they would share, and the way out
     */
    public static void checkDistinct(Collection<RegisteredHandler> handlers) {
        checkDistinct(
                handlers,
                (one, other) -> one.declaration()
                        .selector()
                        .mayOverlap(other.declaration().selector()));
    }

    /**
     * The same, once it is known what the cluster serves: a short name and a plural may be those of one resource.
     *
     * @throws HandlerDeclarationException as above
     */
    public static void checkDistinct(Collection<RegisteredHandler> handlers, Collection<Resource> served) {
        checkDistinct(
                handlers,
                (one, other) -> served.stream()
                        .anyMatch(resource -> one.declaration().selector().matches(resource)
                                && other.declaration().selector().matches(resource)));
    }

    private static void checkDistinct(
            Collection<RegisteredHandler> handlers, BiPredicate<RegisteredHandler, RegisteredHandler> ofOneResource) {
        List<RegisteredHandler> checked = new ArrayList<>();
        for (RegisteredHandler handler : handlers) {
            checked.stream()
                    .filter(other -> path(other.id()).equals(path(handler.id())))
                    .forEach(other -> checkDistinct(other, handler, ofOneResource));
            checked.add(handler);
        }
    }

    private static void checkDistinct(
            RegisteredHandler one,
            RegisteredHandler other,
            BiPredicate<RegisteredHandler, RegisteredHandler> ofOneResource) {
        if (!one.id().equals(other.id())) {
            throw new HandlerDeclarationException("the admission handlers '" + one.id() + "' and '" + other.id()
                    + "' become one webhook, '" + path(one.id())
                    + "', as the API server takes no capital letters and underscores there. Give one of them"
                    + " another id");
        }
        if (one.kind() != other.kind()
                && !(one.options().choosesObjects() && other.options().choosesObjects())
                && ofOneResource.test(one, other)
                && (one.options().isForSubresource(other.options().subresource())
                        || other.options().isForSubresource(one.options().subresource()))) {
            throw new HandlerDeclarationException(ambiguity(one, other));
        }
    }

    /** Why two handlers of different kinds are not to share an id, and the way out. */
    public static String ambiguity(RegisteredHandler one, RegisteredHandler other) {
        return one.kind().annotation() + " '" + one.id() + "' and "
                + other.kind().annotation() + " '" + other.id()
                + "' are asked at the same address, where nobody can tell which of them is meant. Give one of them"
                + " another id, as in @OnMutate(value = \"kopfexamples\", id = \"fill\"), or give both filters that let"
                + " no object pass to both";
    }

    /** Ends with a sum of the id, so that long ids that begin in the same way stay apart. */
    private static String shortened(String path, String id) {
        CRC32 sum = new CRC32();
        sum.update(id.getBytes(StandardCharsets.UTF_8));
        int end = PATH_MAX - 9;
        while (isMark(path.charAt(end - 1)) || path.charAt(end - 1) == '/') {
            end--;
        }
        return path.substring(0, end) + "-" + HexFormat.of().toHexDigits((int) sum.getValue());
    }

    private static String part(String id) {
        if (id.isEmpty()) {
            return "0";
        }
        StringBuilder name = new StringBuilder();
        id.codePoints().forEach(each -> append(name, each));
        int begin = 0;
        int end = name.length();
        while (begin < end && isMark(name.charAt(begin))) {
            begin++;
        }
        while (end > begin && isMark(name.charAt(end - 1))) {
            end--;
        }
        return begin == end ? hex(id) : name.substring(begin, end);
    }

    private static void append(StringBuilder name, int character) {
        char last = name.isEmpty() ? '.' : name.charAt(name.length() - 1);
        if (character == '_' || character == '-' || character == '.') {
            // No part between two dots begins or ends with a dash.
            if (!isMark(last)) {
                name.append(character == '.' ? '.' : '-');
            }
        } else if (character >= 'A' && character <= 'Z') {
            name.append(isMark(last) ? "" : "-").append((char) (character - 'A' + 'a'));
        } else if (character < 128 && isLetterOrDigit((char) character)) {
            name.append((char) character);
        } else {
            name.append(hex(Character.toString(character)));
        }
    }

    private static boolean isMark(char letter) {
        return letter == '.' || letter == '-';
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
    }

    private static boolean isLetterOrDigit(char letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9');
    }
}
