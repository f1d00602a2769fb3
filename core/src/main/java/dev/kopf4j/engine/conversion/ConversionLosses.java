package dev.kopf4j.engine.conversion;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells which fields conversions lose: each once, as objects are converted again and again. Thread-safe. */
final class ConversionLosses {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.conversion");

    /** Keys of maps are fields, too, and there may be any number of them. */
    private static final int TOLD_MAX = 100;

    private final Set<String> told = ConcurrentHashMap.newKeySet();

    /** A function has lost a field. */
    void lost(ConversionFunction function, String path) {
        if (told.size() < TOLD_MAX && told.add(function.from() + ">" + function.to() + ":" + path)) {
            log.warn(
                    "The field {} is lost: {} does not know it, and what {} has returned has no place for it.",
                    path,
                    function.type().getTypeName(),
                    function);
        }
    }
}
