/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_POISON 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define HAS_POISON 1
#endif
#ifdef HAS_POISON
#include <sanitizer/asan_interface.h>
#endif

static void init_allocates_nothing(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena, 0);
    assert_null(arena.blocks);
    assert_int_equal(arena.used_bytes, 0);
    arena_release(&arena);
}

static void new_is_zeroed_and_aligned(void **state)
{
    (void)state;
    static const char zeros[100];
    cleanup_arena struct arena arena;
    arena_init(&arena, 64);
    for (size_t size = 0; size <= sizeof(zeros); size++) {
        arena_copy(&arena, "odd");
        char *bytes = arena_new(&arena, size, 1);
        assert_non_null(bytes);
        assert_int_equal((uintptr_t)bytes % _Alignof(int64_t), 0);
        assert_memory_equal(bytes, zeros, size);
        memset(bytes, 'x', size);
    }
}

static void pieces_do_not_overlap(void **state)
{
    (void)state;
    enum { PIECE_COUNT = 500 };
    cleanup_arena struct arena arena;
    arena_init(&arena, 1);
    unsigned char *pieces[PIECE_COUNT];
    for (size_t i = 0; i < PIECE_COUNT; i++) {
        size_t size = i * 7 % 301;
        pieces[i] = i % 2 == 0 ? arena_new(&arena, 1, size)
                               : (unsigned char *)arena_copy_bytes(&arena, "", 0);
        memset(pieces[i], (int)(i % 251), i % 2 == 0 ? size : 1);
    }
    for (size_t i = 0; i < PIECE_COUNT; i += 2) {
        size_t size = i * 7 % 301;
        for (size_t at = 0; at < size; at++) {
            assert_int_equal(pieces[i][at], i % 251);
        }
    }
}

static void text_is_packed(void **state)
{
    (void)state;
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    const char *first = arena_copy(&arena, "abc");
    const char *second = arena_copy(&arena, "de");
    assert_ptr_equal(second, first + 4);
    assert_int_equal(arena.used_bytes, 7);
}

static void used_bytes_is_the_same_in_any_order(void **state)
{
    (void)state;
    for (int order = 0; order < 2; order++) {
        cleanup_arena struct arena arena;
        arena_init(&arena, 24);
        if (order == 0) {
            arena_copy(&arena, "abc");
        }
        arena_new(&arena, 1, 9);
        if (order == 1) {
            arena_copy(&arena, "abc");
        }
        assert_int_equal(arena.used_bytes, 16 + 4);
        const void *block = arena.blocks;
        arena_copy(&arena, "def"); /* that is 24 */
        assert_ptr_equal(arena.blocks, block);
        arena_copy(&arena, "");
        assert_ptr_not_equal(arena.blocks, block);
    }
}

static void a_large_request_leaves_the_current_block_in_use(void **state)
{
    (void)state;
    cleanup_arena struct arena arena;
    arena_init(&arena, 100);
    const char *first = arena_copy(&arena, "abc");
    memset(arena_new(&arena, 1, 1000 * 1000), 'x', 1000 * 1000);
    assert_ptr_equal(arena_copy(&arena, "def"), first + 4);
    assert_string_equal(first, "abc");
}

static void a_large_request_may_come_first(void **state)
{
    (void)state;
    cleanup_arena struct arena arena;
    arena_init(&arena, 16);
    memset(arena_new(&arena, 1, 5000), 'x', 5000);
    assert_string_equal(arena_copy(&arena, "abc"), "abc");
}

/* Text is contiguous within a block and never across two, whose headers lie between. */
static void blocks_double_up_to_their_maximum(void **state)
{
    (void)state;
    enum { PIECE_BYTES = 1000 };
    cleanup_arena struct arena arena;
    arena_init(&arena, PIECE_BYTES);
    char text[PIECE_BYTES];
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    size_t doubling = 1 + 2 + 4 + 8 + 16 + 32 + 64;
    size_t in_a_block_of_64_kib = 64 * 1024 / PIECE_BYTES;
    size_t block_count = 0;
    const char *before = NULL;
    for (size_t i = 0; i < doubling + 20 * in_a_block_of_64_kib; i++) {
        const char *piece = arena_copy(&arena, text);
        block_count += before == NULL || piece != before + PIECE_BYTES ? 1 : 0;
        before = piece;
    }
    assert_int_equal(block_count, 7 + 20);
}

static void copies_are_copies(void **state)
{
    (void)state;
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    char text[] = "golden";
    char *copy = arena_copy(&arena, text);
    char *part = arena_copy_bytes(&arena, text, 4);
    char *with_nul = arena_copy_bytes(&arena, "a\0b", 3);
    text[0] = 'x';
    assert_string_equal(copy, "golden");
    assert_string_equal(part, "gold");
    assert_memory_equal(with_nul, "a\0b", 4);
    assert_string_equal(arena_copy_bytes(&arena, text, 0), "");
    assert_null(arena_copy(&arena, NULL));
    assert_null(arena_copy_bytes(&arena, NULL, 0));
}

static void print_takes_any_length(void **state)
{
    (void)state;
    cleanup_arena struct arena arena;
    arena_init(&arena, 32);
    assert_string_equal(arena_print(&arena, "%s/%s-%d", "ns", "slot", 12), "ns/slot-12");
    assert_string_equal(arena_print(&arena, "%s", ""), "");
    static const int widths[] = {254, 255, 256, 257, 5000};
    for (size_t i = 0; i < sizeof(widths) / sizeof(*widths); i++) {
        const char *wide = arena_print(&arena, "%*d", widths[i], 1);
        assert_int_equal(strlen(wide), widths[i]);
        assert_int_equal(wide[widths[i] - 1], '1');
    }
}

static void release_leaves_an_empty_arena_to_use_again(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena, 0);
    arena_copy(&arena, "abc");
    arena_release(&arena);
    assert_null(arena.blocks);
    assert_int_equal(arena.used_bytes, 0);
    arena_release(&arena);
    assert_string_equal(arena_copy(&arena, "again"), "again");
    arena_release(&arena);
}

static void clear_keeps_one_block_and_zeroes_it(void **state)
{
    (void)state;
    enum { BYTES = 3000 };
    static const char zeros[BYTES];
    cleanup_arena struct arena arena;
    arena_init(&arena, 1024);
    arena_clear(&arena);
    for (int i = 0; i < 3; i++) {
        memset(arena_new(&arena, BYTES / 3, 1), 'x', BYTES / 3);
    }
    const struct arena_block *newest = arena.blocks;
    arena_clear(&arena);
    assert_int_equal(arena.used_bytes, 0);
    assert_ptr_equal(arena.blocks, newest);
    assert_memory_equal(arena_new(&arena, BYTES / 3, 1), zeros, BYTES / 3);
    assert_ptr_equal(arena.blocks, newest);
}

static void clear_gives_a_large_block_back(void **state)
{
    (void)state;
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    (void)arena_new(&arena, 1024 * 1024, 1);
    arena_clear(&arena);
    assert_null(arena.blocks);
    assert_string_equal(arena_copy(&arena, "again"), "again");
}

static void what_lies_behind_a_piece_is_poisoned(void **state)
{
    (void)state;
#ifdef HAS_POISON
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    char *text = arena_copy(&arena, "abc");
    assert_false(__asan_address_is_poisoned(text + 3));
    assert_true(__asan_address_is_poisoned(text + 4));
    char *padded = arena_new(&arena, 1, 8);
    assert_true(__asan_address_is_poisoned(text + 8));
    assert_false(__asan_address_is_poisoned(padded + 7));
    assert_true(__asan_address_is_poisoned(padded + 8));
    arena_clear(&arena);
    assert_true(__asan_address_is_poisoned(text));
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(init_allocates_nothing),
        cmocka_unit_test(new_is_zeroed_and_aligned),
        cmocka_unit_test(pieces_do_not_overlap),
        cmocka_unit_test(text_is_packed),
        cmocka_unit_test(used_bytes_is_the_same_in_any_order),
        cmocka_unit_test(a_large_request_leaves_the_current_block_in_use),
        cmocka_unit_test(a_large_request_may_come_first),
        cmocka_unit_test(blocks_double_up_to_their_maximum),
        cmocka_unit_test(copies_are_copies),
        cmocka_unit_test(print_takes_any_length),
        cmocka_unit_test(release_leaves_an_empty_arena_to_use_again),
        cmocka_unit_test(clear_keeps_one_block_and_zeroes_it),
        cmocka_unit_test(clear_gives_a_large_block_back),
        cmocka_unit_test(what_lies_behind_a_piece_is_poisoned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
